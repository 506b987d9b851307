"""A mail server that asks for TLS and a password, and prints each mail as a line of JSON."""
import json
import ssl
import sys
import threading
from email import message_from_bytes, policy

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

port, certificate, key, user, password = sys.argv[1:]
context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
context.load_cert_chain(certificate, key)


class Mailbox:
    """Keeps nothing but tells everything."""

    async def handle_DATA(self, _server, _session, envelope):
        mail = message_from_bytes(envelope.content, policy=policy.default)
        print(json.dumps({"to": envelope.rcpt_tos, "from": envelope.mail_from, "subject": mail["subject"],
                          "text": mail.get_content()}), flush=True)
        return "250 kept"


def authenticate(_server, _session, _envelope, _mechanism, data):
    """Whether name and password are the ones expected."""
    return AuthResult(success=(data.login, data.password) == (user.encode(), password.encode()))


Controller(Mailbox(), hostname="127.0.0.1", port=int(port), tls_context=context, require_starttls=True,
           auth_required=True, authenticator=authenticate).start()
print("ready", flush=True)
threading.Event().wait()
