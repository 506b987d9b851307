// A real mail server with a certificate of its own, and the mails it was given.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, run, start, until } from './processes.mjs';

const MAILBOX = fileURLToPath(new URL('../suites/mailbox.py', import.meta.url));

/** Starts it; `url` is for the sender, `next` waits for the next mail to an address, with the link in it. */
export async function startMailServer(python, dir) {
  const [certificate, key, password] = [join(dir, 'mail.pem'), join(dir, 'mail.key'), 'let-me-in'];
  await run('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2',
    '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-addext', 'basicConstraints=critical,CA:FALSE',
    '-keyout', key, '-out', certificate]);
  const port = await freePort();
  const process = start(python, [MAILBOX, String(port), certificate, key, 'planner', password]);
  await until('the mail server is ready', async () => process.log.includes('ready'));
  const mails = () => process.log.split('\n').filter(line => line.startsWith('{')).map(line => JSON.parse(line));
  let read = 0;
  return {
    process, certificate, password,
    url: `smtp://planner:${password}@localhost:${port}?tls=required`,
    next: to => until(`a mail to ${to} arrives`, async () => {
      const mail = mails()[read];
      if (!mail) return undefined;
      read += 1;
      if (mail.to[0] !== to) throw new Error(`a mail went to ${mail.to}: ${mail.subject}`);
      return { ...mail, link: /https?:\/\/\S+\?token=\S+/.exec(mail.text)?.[0] };
    }),
  };
}
