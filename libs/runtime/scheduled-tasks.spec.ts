import { describe, expect, it } from '@jest/globals';
import { SILENT } from '@moorage/server';
import { ScheduledTasks } from './scheduled-tasks';

describe('scheduled tasks', () => {
  const failed: unknown[] = [];
  const tasks = new ScheduledTasks({ ...SILENT, error: (_, facts) => void failed.push(facts?.task) });

  it('log failures, thrown at once or later, and continue', async () => {
    await tasks.run('later', () => Promise.reject(new Error('no database')));
    await tasks.run('at once', () => {
      throw new Error('no database');
    });
    expect(failed).toEqual(['later', 'at once']);
  });

  it('are completed before a shutdown', async () => {
    const ended: string[] = [];
    let end: () => void = () => undefined;
    const running = tasks.run('slow', () => new Promise<void>((resolve) => (end = resolve)));
    const shutdown = tasks.beforeApplicationShutdown().then(() => ended.push('shutdown'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).toEqual([]);
    end();
    await Promise.all([running, shutdown]);
    expect(ended).toEqual(['shutdown']);
  });
});
