"""All servers: uvdrop, its peers with the settings of bench/peers, and the floor."""

import os
from pathlib import Path

from .form import Form
from .place import Place
from .server_kind import ServerKind
from .toolbox import Toolbox

APACHE_MODULES = "/usr/lib/apache2/modules"
NGINX_TUNING = "open_file_cache max=1000 inactive=1h; open_file_cache_valid 60s; client_body_buffer_size 256k;"
LIGHTTPD_MODULES = Path("/usr/lib/lighttpd")


def uvdrop(toolbox: Toolbox, durability: str = "none", more: tuple[str, ...] = ()) -> ServerKind:
    """`more` are further options."""

    def command(place: Place) -> list[str]:
        options = ["-p", str(place.port), "-b", "127.0.0.1", "--quiet", "--max-size", "0", "--durability", durability]
        return [str(toolbox.uvdrop), str(place.root), *options, "--on-duplicate-files", "overwrite", *more]

    return ServerKind(
        "uvdrop", str(toolbox.uvdrop), command, (str(toolbox.uvdrop), "--version"),
        takes_put=True, form=Form(), json_list=("/?json",),
    )  # fmt: skip


def floor(toolbox: Toolbox, program: str, *arguments: str) -> ServerKind:
    """One of the programs in bench/floor; "@ROOT@" in its arguments is the folder that the others serve."""
    path = str(toolbox.binary(program))

    def command(place: Place) -> list[str]:
        return [path, str(place.port), *(argument.replace("@ROOT@", str(place.root)) for argument in arguments)]

    return ServerKind("floor", path, command, takes_put=program == "receive")


def nginx_aio() -> ServerKind:
    """nginx that reads from the disk in threads, with sendfile: no cold file holds up its loop."""
    return _nginx("nginx-aio", f"{NGINX_TUNING} aio threads;")


def _nginx(name: str, tuning: str) -> ServerKind:
    def command(place: Place) -> list[str]:
        return ["nginx", "-e", "stderr", "-c", str(place.render("nginx.conf", TUNING=tuning))]

    return ServerKind(name, "nginx", command, ("nginx", "-v"), takes_put=True, json_list=("/",))


def peers(toolbox: Toolbox) -> list[ServerKind]:
    """The order is the order of the table."""
    scripts = toolbox.scripts

    def lighttpd(place: Place) -> list[str]:
        configuration = place.render(
            "lighttpd.conf",
            MODULES='"mod_dirlisting"' + (', "mod_webdav"' if webdav else ""),
            WEBDAV='webdav.activate = "enable"' if webdav else "",
        )
        return ["lighttpd", "-D", "-f", str(configuration)]

    def apache(place: Place) -> list[str]:
        # Apache refuses to run its workers as root.
        user, group = ("www-data", "www-data") if os.getuid() == 0 else ("@USER@", "@GROUP@")
        configuration = place.render(
            "apache2.conf", APACHE_USER=user, APACHE_GROUP=group, MODULES=APACHE_MODULES, DAV="On")  # fmt: skip
        return ["apache2", "-DFOREGROUND", "-f", str(configuration)]

    def caddy(place: Place) -> list[str]:
        return [str(scripts / "caddy"), "run", "--adapter", "caddyfile", "--config", str(place.render("Caddyfile"))]

    def copyparty(place: Place) -> list[str]:
        return [str(scripts / "copyparty"), "-c", str(place.render("copyparty.conf"))]

    def uploadserver(place: Place) -> list[str]:
        arguments = place.render("uploadserver.args").read_text().splitlines()
        return [str(scripts / "python3"), "-m", "uploadserver", *(line for line in arguments if not line.startswith("#"))]

    def package_version(name: str) -> tuple[str, ...]:
        return (str(scripts / "python3"), "-c", f"import importlib.metadata as m; print('{name}', m.version('{name}'))")

    webdav = (LIGHTTPD_MODULES / "mod_webdav.so").exists()
    return [
        _nginx("nginx", NGINX_TUNING),
        _nginx("nginx-plain", ""),
        ServerKind("h2o", "h2o", lambda place: ["h2o", "-c", str(place.render("h2o.conf"))], ("h2o", "--version")),
        ServerKind("lighttpd", "lighttpd", lighttpd, ("lighttpd", "-v"), takes_put=webdav),
        ServerKind("apache", "apache2", apache, ("apache2", "-v"), takes_put=True),
        ServerKind(
            "caddy", str(scripts / "caddy"), caddy, (str(scripts / "caddy"), "version"),
            json_list=("/", "Accept: application/json"),
        ),
        ServerKind(
            "copyparty", str(scripts / "copyparty"), copyparty, package_version("copyparty"),
            takes_put=True, form=Form("/", "f", {"act": "bput"}), json_list=("/?ls",),
        ),
        ServerKind(
            "uploadserver", str(scripts / "uploadserver"), uploadserver, package_version("uploadserver"),
            keeps_alive=False, form=Form("/upload", "files"),
        ),
    ]  # fmt: skip
