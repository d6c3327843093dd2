/**
 * Returns the bytes in use by JavaScript after a garbage collection, for a process with `--expose-gc`. Resident memory
 * also contains what V8 reserves and what was freed after the start, which is as much as the connections of node:http.
 */
export function usedMemory(): number {
  if (global.gc === undefined) throw new Error('the process was started without --expose-gc');
  global.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
