internal import FileDrop

/// What `--help` and `--version` print.
enum HelpText {
    static let version = "uvdrop \(FileDropVersion.current)\n"

    /// Fits a terminal of 100 columns.
    static let help = """
        uvdrop \(FileDropVersion.current) shares one folder on the local network, by a page and by curl.

        Usage: uvdrop PATH [options]
        Example: uvdrop ./drop --port 8080

        Options (the variable in brackets says the same; an option wins over its variable):
          PATH                       the folder to serve [UVDROP_PATH]
          -p, --port PORT            port, 0 for any free one; default 8080 [UVDROP_PORT]
          -b, --bind ADDRESS         address to listen at, repeatable or with commas; default all
                                     [UVDROP_BIND]
              --max-size SIZE        most file bytes in one upload request: bytes, KB, MB, GB or TB of
                                     1024; 0 for no limit; default 50MB [UVDROP_MAX_SIZE]
              --min-free SIZE        room on the disk that uploads leave free; default 0 [UVDROP_MIN_FREE]
              --on-duplicate-files rename|overwrite|error
                                     a form upload under a taken name; default rename: photo (1).jpg
                                     [UVDROP_ON_DUPLICATE_FILES]
              --read-only            no uploads, no deletions [UVDROP_READ_ONLY]
              --hidden               list, serve and accept names with a leading dot [UVDROP_HIDDEN]
              --title TEXT           heading of the page; default HOSTNAME:PORT [UVDROP_TITLE]
              --state DIR            folder for uvdrop's own files; default PATH/.uvdrop [UVDROP_STATE]
              --allow-host NAME      one more host name to answer to, repeatable or with commas
                                     [UVDROP_ALLOW_HOST]
              --durability full|data|none
                                     what is on disk before an upload is answered (and, with full, a
                                     deletion): file and directory, file, or nothing for certain;
                                     default full [UVDROP_DURABILITY]
              --log-format text|json one line or one JSON object a request, on stderr [UVDROP_LOG_FORMAT]
              --quiet                no request log [UVDROP_QUIET]
              --workers N|auto       processes that share the work, up to 256, auto for one a
                                     processor; default 1 [UVDROP_WORKERS]
              --max-connections N    connections at once, 0 for as many as the descriptors suffice
                                     for; default 0 [UVDROP_MAX_CONNECTIONS]
              --max-connections-per-address N
                                     connections at once from one address, 0 for no limit; default 0
                                     [UVDROP_MAX_CONNECTIONS_PER_ADDRESS]
              --shutdown-timeout SECONDS
                                     time that running transfers get when it is stopped, up to 86400;
                                     default 30 [UVDROP_SHUTDOWN_TIMEOUT]
          -h, --help                 this text
          -V, --version              the version

        Switches take =on and =off, and so do their variables; yes, true, 1 and no, false, 0 do as well.

        Spellings of dufs and miniserve that are understood:
          -i, --interfaces           is --bind;  -H is --hidden;  -t is --title
          -o [POLICY]                is --on-duplicate-files; alone, like --overwrite-files: overwrite
          -A, --allow-all, --allow-upload, --allow-delete, -u, --upload-files, -R, --rm-files
                                     accepted silently: uploads and deletions are on unless --read-only

        Exit status: 0 stopped by SIGTERM or SIGINT, 1 could not start or failed, 2 wrong usage.

        """
}
