import { Log } from '@moorage/server';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';

/** Runs scheduled tasks. An error ends neither the process nor the schedule, and a shutdown waits for running tasks. */
@Injectable()
export class ScheduledTasks implements BeforeApplicationShutdown {
  private readonly running = new Set<Promise<void>>();

  constructor(private readonly log: Log) {}

  async run(task: string, work: () => Promise<unknown>): Promise<void> {
    const run = this.attempt(task, work);
    this.running.add(run);
    await run;
    this.running.delete(run);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.running);
  }

  private async attempt(task: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.log.error('scheduled task failed; retrying on the next call', { task, error });
    }
  }
}
