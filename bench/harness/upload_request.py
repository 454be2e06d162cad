"""The bytes around a file that is uploaded. Pure."""

from .form import Form

# In a head the upload client puts the number of the connection in its place, in three digits.
NUMBER = "NNN"
BOUNDARY = "----uvdrop-bench-7d1f2c3a4b5e6f70"


def put_request(port: int, size: int) -> tuple[bytes, bytes]:
    """Head and tail of a PUT."""
    head = f"PUT /{NUMBER}.bin HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/octet-stream\r\n"
    return f"{head}Content-Length: {size}\r\n\r\n".encode(), b""


def form_request(port: int, size: int, form: Form) -> tuple[bytes, bytes]:
    """Head and tail of a POST: the fields, the head of the file's part, and the end of the form."""
    parts = "".join(
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in form.fields.items()
    )
    parts += f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{form.file_field}"; filename="{NUMBER}.bin"\r\n'
    parts += "Content-Type: application/octet-stream\r\n\r\n"
    tail = f"\r\n--{BOUNDARY}--\r\n"
    head = f"POST {form.path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept: application/json\r\n"
    head += f"Content-Type: multipart/form-data; boundary={BOUNDARY}\r\n"
    return f"{head}Content-Length: {len(parts) + size + len(tail)}\r\n\r\n{parts}".encode(), tail.encode()
