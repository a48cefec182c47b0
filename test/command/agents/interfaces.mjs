// Writes down which ways out of this machine it sees.
import { writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';

writeFileSync(
  process.argv[2],
  JSON.stringify({ interfaces: Object.keys(networkInterfaces()), proxy: process.env.HTTPS_PROXY }),
);
