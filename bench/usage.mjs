// Loaded into a measured process with --import: writes what the process used, its threads included, when it ends.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const { maxRSS } = process.resourceUsage();
  writeFileSync(process.env.BENCH_USAGE, JSON.stringify({ cpu: (user + system) / 1e6, peak: maxRSS / 1024 }));
});
