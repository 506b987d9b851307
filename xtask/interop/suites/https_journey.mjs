// node https_journey.mjs BASE LINK: the SDK's journey in a process that trusts the certificate (a process reads
// NODE_EXTRA_CA_CERTS only when it starts).
import { planAndDelete } from '../parts/journey.mjs';
import { caller, connect } from './typescript.mjs';

const [base, link] = process.argv.slice(2);
const client = await connect({ base, mcp: `${base}/mcp` }, link, { mode: 'auto' });
await planAndDelete(caller(client));
await client.close();
