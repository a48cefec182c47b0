import type { Command } from 'commander';
import { addApi } from './commands/api.js';
import { addCase } from './commands/case.js';
import { addCompare } from './commands/compare.js';
import { addBaseline } from './commands/baseline.js';
import { addDoctor } from './commands/doctor.js';
import { addExchange } from './commands/exchange.js';
import { addExplain } from './commands/explain.js';
import { addGrade } from './commands/grade.js';
import { addHistory } from './commands/history.js';
import { addHook } from './commands/hook.js';
import { addInit } from './commands/init.js';
import { addLint } from './commands/lint.js';
import { addList } from './commands/list.js';
import { addLog } from './commands/log.js';
import { addMcp } from './commands/mcp.js';
import { addEval, addRun } from './commands/run.js';
import { addRecord } from './commands/record.js';
import { addScenario } from './commands/scenario.js';
import { addSchema } from './commands/schema.js';
import { addServe } from './commands/serve.js';
import { addShow } from './commands/show.js';
import { addSkill } from './commands/skill.js';
import { addStats } from './commands/stats.js';
import { addSuite } from './commands/suite.js';
import { addWatch } from './commands/watch.js';
import { addFlaky } from './commands/flaky.js';
import { addPlan } from './commands/plan.js';

/** Every command, in the order in which help lists them. Each file only declares; the work is loaded when it runs. */
export const COMMANDS: readonly ((program: Command) => void)[] = [
  addRun,
  addEval,
  addInit,
  addLint,
  addList,
  addShow,
  addHistory,
  addBaseline,
  addGrade,
  addCompare,
  addPlan,
  addFlaky,
  addSuite,
  addScenario,
  addCase,
  addExchange,
  addWatch,
  addHook,
  addApi,
  addRecord,
  addServe,
  addExplain,
  addMcp,
  addSkill,
  addLog,
  addSchema,
  addStats,
  addDoctor,
];
