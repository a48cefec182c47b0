import type { Source } from '../core/index.js';

/** What the server works in; nothing of it comes from a client. */
export interface Surroundings {
  /** How a command line of Assay is started: the program and its first arguments. */
  program: readonly [string, ...string[]];
  /** Arguments every command line gets, such as the configuration file. */
  common: readonly string[];
  /** Absolute path of the working directory of every command line. */
  directory: string;
  /** Absolute path against which models that are files are resolved. */
  modelDirectory: string;
  /** Absolute path of the store of runs. */
  store: string;
  /** Absolute paths of the directories that a named file must lie in: the project, and the directories of suites. */
  roots: readonly string[];
  environment: { readonly [name: string]: string | undefined };
  source: Source;
  /** Says something to the person who started the server. */
  note(text: string): void;
}
