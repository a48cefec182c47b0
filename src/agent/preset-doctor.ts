import { tmpdir } from 'node:os';
import { AGENT_PRESETS, isAgentPreset, type AgentPreset } from '../core/index.js';
import { findProgram, runProgram, type Environment } from '../model/index.js';
import { presetProgram } from './recipes.js';

/** What is known of a well-known agent on this machine. */
export interface PresetReport {
  preset: AgentPreset;
  program: string;
  /** Null when it is not installed; `version` is null when it does not say. */
  installed: { path: string; version: string | null } | null;
  /** The version that its recipe was tried with. */
  tried: string;
  /** What is missing or unusual, in one line; '' when nothing is. */
  problem: string;
  /** What to do about it; '' when there is nothing to do. */
  fix: string;
}

const VERSION_MS = 15_000;
const VERSION = /\d+\.\d+\.\d+(?:[-+.]\w+)*/;

async function versionOf(path: string, environment: Environment): Promise<string | null> {
  const outcome = await runProgram({
    program: path,
    arguments: ['--version'],
    environment: { PATH: environment['PATH'] ?? '', HOME: tmpdir() },
    directory: tmpdir(),
    input: '',
    signal: AbortSignal.timeout(VERSION_MS),
  });
  return VERSION.exec(`${outcome.stdout}\n${outcome.stderr}`)?.[0] ?? null;
}

/** Recipes name flags and settings, which change between larger versions. */
function sameLine(version: string, tried: string): boolean {
  const [major, minor] = version.split('.');
  const [triedMajor, triedMinor] = tried.split('.');
  return major === triedMajor && (major !== '0' || minor === triedMinor);
}

async function examine(preset: AgentPreset, environment: Environment): Promise<PresetReport> {
  const { program, install, tried } = presetProgram(preset);
  const base = { preset, program, tried };
  const path = await findProgram(program, environment);
  if (path === null) {
    return { ...base, installed: null, problem: `${program} was not found`, fix: install };
  }
  const version = await versionOf(path, environment);
  const found = { ...base, installed: { path, version } };
  if (version === null) {
    return {
      ...found,
      problem: 'it does not say which version it is',
      fix: `run ${program} --version by hand`,
    };
  }
  if (sameLine(version, tried)) return { ...found, problem: '', fix: '' };
  return {
    ...found,
    problem: `the recipe was tried with ${tried}; this is ${version}`,
    fix: 'replay a fixture with it first; where it fails, write the command out instead of the preset',
  };
}

/** Looks for the well-known agents: is each installed, and is it a version that its recipe knows. Spends nothing. */
export function presetDoctor(environment: Environment): Promise<PresetReport[]> {
  const presets = Object.keys(AGENT_PRESETS).filter(isAgentPreset);
  return Promise.all(presets.map((preset) => examine(preset, environment)));
}
