/** Threads and process groups: work that can be stopped although it blocks. */
export { guardGroup, signalGroup } from './process-group.js';
export { LOAD_MS, startThread, type ThreadOptions, type WorkThread } from './work-thread.js';
export { guardProcess, threadData, threadPort, type ThreadPort } from './inside.js';
export { packed, unpacked } from './packed.js';
