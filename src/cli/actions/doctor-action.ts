import { presetDoctor, type PresetReport } from '../../agent/index.js';
import { loadConfig } from '../../config/index.js';
import { assayVersion, systemSource, terminalLine } from '../../core/index.js';
import { doctor, type ProgramReport } from '../../model/index.js';
import type { DoctorFlags } from '../commands/doctor.js';
import { ExitCode } from '../exit-code.js';
import { say } from '../streams.js';

function lines(report: ProgramReport): string[] {
  const { installed } = report;
  const where =
    installed === null ? 'not installed' : `${installed.version ?? 'version unknown'} at ${installed.path}`;
  const rows = [
    `${report.program} (${report.kind}:…)`,
    `  installed  ${where}`,
    `  logged in  ${report.login.state}${report.login.evidence === '' ? '' : `: ${report.login.evidence}`}`,
    `  answers    ${report.answers === 'not-asked' ? 'not asked (--probe asks)' : report.answers}`,
  ];
  if (report.problem !== '') rows.push(`  problem    ${report.problem}`);
  if (report.fix !== '') rows.push(`  to do      ${report.fix}`);
  return rows;
}

function presetLine(report: PresetReport): string {
  const { installed } = report;
  const where =
    installed === null ? 'not installed' : `${installed.version ?? 'version unknown'} at ${installed.path}`;
  const problem = installed === null || report.problem === '' ? '' : `; ${report.problem}`;
  const fix = report.fix === '' ? '' : ` (${report.fix})`;
  return `  ${report.preset.padEnd(12)} ${where}${problem}${fix}`;
}

/** `assay doctor`. Exit code 1 when a probe was asked for and no program answers. */
export async function doctorAction(flags: DoctorFlags): Promise<void> {
  const cwd = process.cwd();
  const loaded = await loadConfig(cwd, flags.config);
  const reports = await doctor(
    {
      directory: loaded.file === null ? cwd : loaded.root,
      environment: process.env,
      source: systemSource(),
      config: loaded.config,
    },
    { probe: flags.probe === true, version: assayVersion() },
  );
  const presets = await presetDoctor(process.env);
  if (flags.json === true) {
    say(JSON.stringify({ schema: 'assay/doctor/v1', programs: reports, presets }, null, 2));
  } else {
    const programs = reports.map((report) => lines(report).map(terminalLine).join('\n'));
    const agents = ['agents for agent: { preset: … }', ...presets.map(presetLine)]
      .map(terminalLine)
      .join('\n');
    say([...programs, agents].join('\n\n'));
  }
  if (flags.probe === true && !reports.some((report) => report.answers === 'yes')) throw new ExitCode(1);
}
