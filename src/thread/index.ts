/** Threads and process groups: work that can be stopped although it blocks. */
export { guardGroup, signalGroup } from './process-group.js';
export { startThread, type ThreadOptions, type WorkThread } from './work-thread.js';
export { threadData, threadPort, type ThreadPort } from './inside.js';
