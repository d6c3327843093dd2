import { it } from '@jest/globals';

/**
 * Splits a journey into chapters, each of them a test. After a failed chapter the remaining chapters are skipped with a
 * message, because they would fail for the same reason. `story` returns text to add to an error.
 */
export function chapters(
  timeoutMs: number,
  story: () => Promise<string> = () => Promise.resolve(''),
): (name: string, act: () => Promise<void>) => void {
  let broken: string | null = null;
  return (name, act) =>
    it(
      name,
      async () => {
        if (broken !== null) throw new Error(`not reached: "${broken}" went wrong`);
        broken = name;
        await act().catch(async (error: unknown) => {
          throw new Error(`${String(error)}\n${await story()}`, { cause: error });
        });
        broken = null;
      },
      timeoutMs,
    );
}
