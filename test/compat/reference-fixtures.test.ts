import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  gradeRecording,
  idleRecording,
  loadSuite,
  replayAgents,
  runSuite,
  vacuousChecks,
  type TrialResult,
} from '../../src/index.js';
import { parseJsonDocument, traceExtensions } from '../../src/suite/index.js';

const repository = resolve(import.meta.dirname, '../..');
const shared = resolve(repository, process.env['ASSAY_SHARED'] ?? '../shared');
const directory = join(shared, 'fixtures/trace/regression');

if (existsSync(directory)) {
  const files = readdirSync(directory).filter((name) => name.endsWith('.json'));
  const suite = await loadSuite(directory);
  const cases = [...suite.cases].map((tested) => ({ name: tested.source.name, tested }));

  describe('the fixtures of the reference, read in place', () => {
    it('all load and pass unchanged', async () => {
      const report = await runSuite({ suite, agents: replayAgents() });
      expect(files.length).toBeGreaterThan(0);
      expect(report.cases.map((result) => [result.source, result.outcome])).toEqual(
        cases.map(({ name }) => [name, 'passed']),
      );
      expect(report.totals).toMatchObject({ cases: files.length, passed: files.length });
      expect(report.exitCode()).toBe(0);
    });

    it.each(cases)('$name fails on an idle run', async ({ tested }) => {
      expect(vacuousChecks(tested)).toBeNull();
      const receipt: TrialResult['receipt'] = {
        schema: 'assay/recording/v1',
        caseId: tested.id,
        caseHash: tested.hash,
        trial: 1,
        mode: 'replay',
        modelRef: 'idle',
        servedModel: null,
        toolSurface: { requested: [], effective: [], registered: [] },
        sandbox: { autonomy: 'supervised', workspaceOnly: true },
        judgeRef: null,
        promptHash: null,
      };
      const idle = idleRecording(
        receipt,
        tested.turns.map((turn) => turn.user),
      );
      const checks = await gradeRecording(tested.checks, idle, { emptyText: 'grade' });
      expect(checks.some((check) => check.outcome === 'fail')).toBe(true);
    });

    it.each(files)('%s uses no key that only Assay reads', (file) => {
      const parsed = parseJsonDocument(file, readFileSync(join(directory, file), 'utf8'));
      expect(parsed.ok && traceExtensions(parsed.document.value)).toEqual([]);
    });
  });
} else {
  it(`the compatibility fixtures are absent (set ASSAY_SHARED to the folder that holds fixtures/trace/regression)`, () => {
    expect(existsSync(directory)).toBe(false);
  });
}
