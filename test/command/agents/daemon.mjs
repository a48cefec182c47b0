// Leaves a process in a session of its own behind, then works as any agent does.
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
  detached: true,
  stdio: 'ignore',
});
child.unref();
writeFileSync(process.env.PID_FILE, String(child.pid));
const [client, prompt] = process.argv.slice(2);
const done = spawnSync(process.execPath, [client, 'openai-chat', 'json', prompt], { stdio: 'inherit' });
process.exit(done.status ?? 1);
