/** Exchange with other tools: their suites and results come in, ours go out, and nothing is dropped in silence. */
export { admitImported, type AdmittedImport } from './admit-imported.js';
export { importAgentevals, trajectoryLine } from './agentevals.js';
export { tableLines, type TableRow } from './import-table.js';
export { type ImportedRun } from './imported-run.js';
export { importInspect, type RunImport } from './inspect-log.js';
export { exportOpenaiEvals, exportOpenaiGraders } from './openai-export.js';
export { importOpenaiEvals, importOpenaiGraders, MATCHES, type EvalsMatch } from './openai-import.js';
export { originPath, originText, readOrigin, type Origin } from './origin.js';
export { importPromptfoo, type ImportedSuite, type SuiteImport } from './promptfoo.js';
export { exportSkillEvals, type JsonExport } from './skill-evals-export.js';
export { importSkillEvals, type SkillEvalsImport } from './skill-evals-import.js';
export {
  exportBenchmark,
  exportGradings,
  type BenchmarkArm,
  type ExportedFile,
} from './skill-results-export.js';
export { importSkillResults } from './skill-results-import.js';
export { storeImportedRun, type ImportPlace, type StoredImport } from './store-run.js';
export { writtenSuiteCases, type WrittenSuite } from './suite-cases.js';
export { openZip, type ZipEntry, type ZipFile } from './zip-file.js';
