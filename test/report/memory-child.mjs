// Feeds many cases to a reporter of each form and prints, as JSON, how much memory that took beyond the first
// thousand cases and how much was written. Argument: number of cases.
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createJiti } from 'jiti';

const count = Number(process.argv[2]);
const jiti = createJiti(import.meta.url, { fsCache: false });
const { createReporter, reportFormats } = await jiti.import('../../src/report/index.ts');
const samples = await jiti.import('./samples.ts');

const cases = [
  samples.sampleCase('passes', [samples.trial()]),
  samples.sampleCase('fails', [samples.failedTrial()]),
];

function used() {
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function measure(format) {
  let written = 0;
  const output = { write: (text) => (written += text.length) };
  const reporter = createReporter(format, output, { color: false, suites: 1 });
  reporter.event({ type: 'run-start', suite: 'large', cases: count, trials: 1, directory: null });
  let before = 0;
  for (let index = 0; index < count; index += 1) {
    const { result, trials } = cases[index % 2];
    reporter.event({ type: 'case-end', result: { ...result, id: `case ${index}` }, trials });
    if (index === 1000) before = used();
  }
  const grown = used() - before;
  reporter.event({ type: 'run-end', summary: samples.summary(cases) });
  reporter.finish();
  return { format, grown, written };
}

const measured = reportFormats.map(measure);
const left = readdirSync(tmpdir());
process.stdout.write(JSON.stringify({ measured, left }));
