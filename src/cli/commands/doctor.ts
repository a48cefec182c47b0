import { Argument, type Command } from 'commander';

/** Options of `assay doctor`. */
export interface DoctorFlags {
  probe?: boolean;
  json?: boolean;
  config?: string;
}

/** Options of `assay self-test`. */
export interface SelfTestFlags {
  judge?: string;
  json?: boolean;
  config?: string;
  cache: boolean;
}

/** Adds `assay doctor`, `assay self-test` and `assay cache`. */
export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('say which subscription command lines are installed, logged in, and answer')
    .option('--probe', 'ask each of them for one word; this spends a little')
    .option('--json', 'as JSON')
    .option('--config <file>', 'configuration file')
    .action(async (flags: DoctorFlags) => {
      const { doctorAction } = await import('../actions/doctor-action.js');
      await doctorAction(flags);
    });
  program
    .command('self-test')
    .description('show that the graders tell good from bad')
    .addArgument(
      new Argument('<what>', 'assertions (free) or judge (asks the configured judge)').choices([
        'assertions',
        'judge',
      ]),
    )
    .option('--judge <model>', 'model of the judge')
    .option('--no-cache', 'ask the judge again even where its answer is known')
    .option('--json', 'as JSON')
    .option('--config <file>', 'configuration file')
    .action(async (what: 'assertions' | 'judge', flags: SelfTestFlags) => {
      const { selfTestAction } = await import('../actions/self-test-action.js');
      await selfTestAction(what, flags);
    });
  const cache = program.command('cache').description('look after the stored answers of models');
  cache
    .command('clear')
    .description('forget every stored answer')
    .option('--config <file>', 'configuration file')
    .action(async (flags: { config?: string }) => {
      const { cacheClearAction } = await import('../actions/cache-action.js');
      await cacheClearAction(flags);
    });
}
