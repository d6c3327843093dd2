import { it } from '@jest/globals';

/**
 * One journey in chapters, each a test: when one goes wrong, those after it would only tell the same again and say so.
 * `story`: what is told with an error.
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
