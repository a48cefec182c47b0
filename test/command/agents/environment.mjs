// Writes down what it was started with.
import { readFileSync, writeFileSync } from 'node:fs';

const input = readFileSync(0, 'utf8');
writeFileSync(process.argv[2], JSON.stringify({ directory: process.cwd(), input, environment: process.env }));
