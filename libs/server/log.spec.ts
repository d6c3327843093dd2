import { describe, expect, it } from '@jest/globals';
import { correlated } from './correlation';
import { createLog } from './log';

describe('log line', () => {
  const lines: unknown[] = [];
  const log = createLog({ level: 'debug', service: 'billing', write: (line) => lines.push(JSON.parse(line)) });
  const lastLine = () => lines.at(-1) as Record<string, unknown>;

  it('is one object of the same shape at every level', () => {
    for (const level of ['debug', 'info', 'warn', 'error'] as const) {
      log[level]('charged', { deployment_id: 7 });
      const { time, ...rest } = lastLine();
      expect(rest).toEqual({ level, service: 'billing', message: 'charged', deployment_id: 7 });
      expect(new Date(String(time)).toISOString()).toBe(time);
    }
  });

  it('carries the correlation id of its context, also in a child logger', async () => {
    await correlated('request-1', async () => {
      await Promise.resolve();
      log.child({ part: 'api' }).info('charged');
    });
    expect(lastLine()).toMatchObject({ part: 'api', correlation_id: 'request-1' });
    log.info('charged');
    expect(lastLine()).not.toHaveProperty('correlation_id');
    correlated('request-1', () => correlated(undefined, () => log.info('charged')));
    expect(lastLine()).not.toHaveProperty('correlation_id');
  });

  it('keeps the correlation id that a caller passes', () => {
    correlated('request-1', () => log.info('answered', { correlation_id: 'request-2' }));
    expect(lastLine()).toMatchObject({ correlation_id: 'request-2' });
  });

  it('has neither secrets nor objects', () => {
    log.error('refused', { api_token: 'canary', answer: { password: 'canary' }, error: new Error('no') });
    expect(JSON.stringify(lastLine())).not.toContain('canary');
    expect(lastLine()).toMatchObject({ api_token: '[redacted]', answer: 'object', error: 'Error', reason: 'no' });
  });
});
