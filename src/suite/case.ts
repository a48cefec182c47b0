import type {
  AgentPreset,
  CheckSpec,
  JsonObject,
  JsonValue,
  LaneMatch,
  Message,
  Protocol,
  ScriptedFault,
  ScriptedStep,
  ToolSource,
  TrialLimits,
} from '../core/index.js';
import type { SimulatorRecording } from './simulator-recording.js';

/** Where a case was written. */
export interface CaseSource {
  /** The file as the user would name it. */
  file: string;
  /** The file's own name, without directories; what reports print. */
  name: string;
  /** 1-based line of the case in its file. */
  line: number;
}

/** One user turn of a case. */
export interface CaseTurn {
  user: string;
  /** The scripted replies of this turn; null when the case does not script a model. */
  steps: ScriptedStep[] | null;
}

/** How the checks of a case become its verdict. */
export type Scoring =
  /** Every gating check must pass, and there must be at least one check. */
  | { rule: 'all' }
  /** The weighted mean of the scores must reach `threshold` (0..1), and no required check may fail. */
  | { rule: 'weighted'; threshold: number };

/** What is under test. */
export type AgentSpec =
  /** The built-in tool loop over a model; `tools` null means the default of the mode. */
  | { type: 'loop'; tools: ToolSource[] | null; maxSteps: number }
  /** One inference per turn, no tools, with the evaluation-context suffix. */
  | { type: 'prompt' }
  /** A function exported by the user's own module; `path` is absolute. */
  | { type: 'module'; path: string; exportName: string }
  | CommandAgent
  | HttpAgent;

/** Any program, started without a shell. Keys that are absent take part in no hash. */
export interface CommandAgent {
  type: 'command';
  /** Program and arguments with placeholders; for a preset, its further arguments. */
  command: string[];
  /** The well-known agent that is started; then the program comes from its recipe. */
  preset?: AgentPreset;
  /** Variables to set, with placeholders. */
  env?: { [name: string]: string };
  /** Variables of Assay's own environment to pass on, by name. */
  environment?: string[];
  /** Standard input, with placeholders; absent for none. */
  stdin?: string;
  /** How it speaks to its model; absent for a preset's usual way, or for any. */
  protocol?: Protocol;
  /** Name of the model that a preset is told to use. */
  model?: string;
  /** Present when replay leaves the network open. */
  network?: 'open';
  /** Absolute; what `{{suite}}` stands for, present when it is used. */
  suiteDirectory?: string;
}

/** An HTTP endpoint to which each turn is posted. */
export interface HttpAgent {
  type: 'http';
  url: string;
  protocol?: Protocol;
}

/** The scripted replies of a conversation beside the main one, such as a sub-agent's. */
export interface CaseLane {
  name: string;
  match: LaneMatch;
  steps: ScriptedStep[];
}

/** A fault and the place where it comes: before a step of a turn, or of a lane. */
export interface CaseFault {
  fault: ScriptedFault;
  /** Name of the lane; null for the main conversation. */
  lane: string | null;
  /** 0-based; 0 in a lane. */
  turn: number;
  /** 0-based; the number of steps for after the last. */
  step: number;
}

/** One request of a recorded run: what is new since the step before; null means the same as before. */
export interface CaseRequest {
  protocol: Protocol;
  model: string;
  system: string | null;
  tools: { name: string; description: string; schema: JsonValue }[] | null;
  parameters: JsonObject | null;
  messages: Message[];
}

/** The requests of the run that a fixture was recorded from, and what is overlooked when others are compared. */
export interface CaseRecorded {
  requests: CaseRequest[];
  rules: {
    ids?: boolean;
    clocks?: boolean;
    paths?: { [path: string]: string };
    mask?: readonly string[];
    parameters?: readonly string[];
  };
}

/** Something named by its id that a person decided about, and why. */
export interface Reasoned {
  id: string;
  reason: string;
}

/** An answer that people wrote down, or a stored recording, against which the checks of a case are verified. */
export interface WrittenAnswer {
  /** Text of every turn, the last one the answer; empty when `recording` holds it. */
  texts: string[];
  toolCalls: { name: string; arguments: JsonValue; result: string; ok: boolean }[];
  /** Files in the workspace after the agent stopped: safe relative path to text. */
  files: { [path: string]: string };
  /** Absolute path of a stored recording that stands for all of this; null when it is written here. */
  recording: string | null;
  /** Why it is good or bad; null when nobody said. */
  reason: string | null;
}

/**
 * What people wrote for the upkeep of a case. It changes neither what a trial does nor how it is graded, so no part of
 * it is in the hash of the case.
 */
export interface Curation {
  /** Mutants that may survive `assay suite prove`. */
  acceptedMutants: Reasoned[];
  /** Lint findings that are silenced. */
  lintIgnored: Reasoned[];
  /** An answer that must pass. */
  reference: WrittenAnswer | null;
  /** Answers that must fail. */
  knownBad: WrittenAnswer[];
  /** ISO date of the last review. */
  reviewedAt: string | null;
}

/** What people wrote for the upkeep of a whole suite. */
export interface SuiteCuration {
  lintIgnored: Reasoned[];
  /** ISO dates; null when not written. */
  reviewedAt: string | null;
  createdAt: string | null;
  updatedAt: string | null;
}

/** Files that only the graders need: safe relative path to the text, or to an absolute path of a file that holds it. */
export type GraderFiles = { [path: string]: { text: string } | { file: string } };

/** A rule that ends a conversation after an answer. */
export interface StopRule {
  type: 'answer_contains' | 'answer_matches' | 'tool_used';
  /** Text, pattern (JavaScript syntax, no flags) or name of a tool. */
  value: string;
}

/** A conversation whose user is simulated or scripted. */
export interface CaseScenario {
  /** Who the simulated user is; null when nothing is simulated. */
  persona: string | null;
  /** What it wants; null when nothing is simulated. */
  goal: string | null;
  /** One entry for every user turn at most: what is said, or null where the simulated user speaks. Never empty. */
  words: (string | null)[];
  /** When the simulated user is to stop besides reaching its goal. */
  stopSentence: string | null;
  stopRules: StopRule[];
  /** Absolute path of the recording of the simulated user, and what is in it; null when it is about to be made. */
  recorded: { path: string; recording: SimulatorRecording | null } | null;
}

/** One admitted case. After admission nobody downstream can tell which format it was written in. */
export interface Case {
  /** Stable identity, unique in its suite. */
  id: string;
  source: CaseSource;
  /** SHA-256 over the canonical, default-filled content: any semantic edit changes it. */
  hash: string;
  /** In a scenario the turns it may have, with '' where the words are simulated. */
  turns: CaseTurn[];
  /** Present when the case is a scenario. */
  scenario?: CaseScenario;
  checks: CheckSpec[];
  scoring: Scoring;
  agent: AgentSpec;
  /** Replaces the default system text; null keeps it. */
  systemPrompt: string | null;
  /** Scripted conversations beside the main one; absent when there are none. */
  lanes?: CaseLane[];
  /** What goes wrong on purpose in the script; absent when nothing does. */
  faults?: CaseFault[];
  /** The requests of the run that the case was recorded from; absent when it was not. */
  recorded?: CaseRecorded;
  /** Files put into the workspace before the agent starts: safe relative path to text. */
  setupFiles: { [path: string]: string };
  /** Put into a copy of the workspace after the agent stopped, before checks look at it. Absent when there are none. */
  graderFiles?: GraderFiles;
  /** Hard limits of one trial; absent when the case and its suite set none. */
  limits?: TrialLimits;
  /** Tools the case asks for in live mode; null when it does not say. */
  tools: string[] | null;
  /** Trials the case gets, 1 or more. */
  trials: number;
  /** What was written instead, where that is fewer or more than a case may have. */
  requestedTrials?: number;
  /** Label of a family of correlated cases. */
  cluster: string | null;
  tags: string[];
  /** The case shows what the agent should not do. Descriptive; reported as balance. */
  negative: boolean;
  /** An empty answer may pass. */
  allowEmpty: boolean;
  owner: string | null;
  /** The case is known to fail; an unexpected pass is reported. */
  expectedFailing: boolean;
  /** Variables that were filled in, when the case was made from a template. */
  variables: { [name: string]: JsonValue } | null;
  /** Absent when nothing of it is written. */
  curation?: Curation;
}

/** A list of cases that may be read from disk as it is walked; walking it twice gives the same cases. */
export interface CaseList extends Iterable<Case> {
  readonly length: number;
  /** What the cases need, when it is known without walking them. */
  readonly traits?: CaseTraits;
  /** The ids of all cases, in order, when they are known without making the cases. */
  ids?(): Iterable<string>;
}

/** What the cases of a suite need to run, taken together. */
export interface CaseTraits {
  /** Some case has a check that asks a judge. */
  judged: boolean;
  /** The kinds of agents. */
  agents: ReadonlySet<AgentSpec['type']>;
  /** Absolute paths of the user's files that agents consist of, as far as the cases name them. */
  agentFiles: ReadonlySet<string>;
  /** Models that checks of their own name as judges. */
  judges: ReadonlySet<string>;
  /** Some case is a scenario. */
  scenarios: boolean;
  /** Some scenario needs a model that plays its user. */
  simulated: boolean;
}

/** `regression` must be 100 %; `capability` is tracked and never gates. */
export type SuiteKind = 'regression' | 'capability';

/** How the cases of a suite become its verdict. */
export type Gate = 'all' | 'mean' | 'pass^k';

/** Success criterion of a suite: the metric's lower confidence bound must reach the threshold. */
export interface Criterion {
  metric: string;
  threshold: number;
  confidence: number;
}

/** An admitted suite. */
export interface Suite {
  name: string;
  /** The suite's directory (trace fixtures) or file (assertion suites), absolute. */
  path: string;
  /** The same, as the user would name it. */
  displayPath: string;
  /** Directory against which paths in the suite are resolved; nothing leaves it. */
  root: string;
  format: 'trace' | 'assertion' | 'program';
  kind: SuiteKind;
  description: string | null;
  gate: Gate;
  /** Default case threshold and suite threshold of a weighted suite, 0..1. */
  passThreshold: number;
  saturationThreshold: number;
  /** Default number of trials. */
  trials: number;
  agentLevel: string;
  judgeLevel: string;
  /** Model of the agent when the suite names one; else the configuration's. */
  agentModel: string | null;
  judgeModel: string | null;
  /** Model that plays the users of scenarios when the suite names one; absent in suites of fixtures. */
  simulatorModel?: string | null;
  simulatorLevel?: string;
  criteria: Criterion[];
  owner: string | null;
  /** Absent when nothing of it is written. */
  curation?: SuiteCuration;
  cases: CaseList;
}

/** True when a case needs a model that plays its user. */
export function isSimulated({ scenario }: Case): boolean {
  return (
    scenario !== undefined && scenario.words.includes(null) && (scenario.recorded?.recording ?? null) === null
  );
}

/** True when these users may have spoken in a case as it is today: they said all that is written. */
export function saidInCase(tested: Case, users: readonly string[]): boolean {
  if (tested.scenario === undefined) {
    return (
      users.length === tested.turns.length && users.every((user, index) => user === tested.turns[index]?.user)
    );
  }
  const { words } = tested.scenario;
  if (users.length === 0 || users.length > words.length) return false;
  return users.every((user, index) => (words[index] ?? user) === user);
}

/** True when a case has a check that asks a judge. */
export function isJudged(tested: Case): boolean {
  return tested.checks.some((check) => check.category === 'judge');
}

/** The ids of a list of cases, in order. */
export function* caseIds(cases: CaseList): Generator<string> {
  if (cases.ids !== undefined) yield* cases.ids();
  else for (const tested of cases) yield tested.id;
}
