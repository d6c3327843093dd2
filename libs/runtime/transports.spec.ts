import { describe, expect, it } from '@jest/globals';
import { createPgNotify } from '@moorage/messaging';
import { systemClock } from '@moorage/server';
import { testDatabase } from '@moorage/testing';
import { promises } from './run-service';
import { parseSettings } from './settings';
import { chosenTransports, openTransports } from './transports';

const kafka = { KAFKA_BROKERS: ['localhost:9092'] };
const bull = { REDIS_URL: 'redis://localhost:6379' };

describe('transports', () => {
  it.each([
    [{}, 'postgresql', 'postgresql'],
    [kafka, 'kafka', 'postgresql'],
    [bull, 'postgresql', 'bull'],
    [{ ...kafka, ...bull }, 'kafka', 'bull'],
  ])('are chosen by setting, and told at the start: %j', (given, events, work) => {
    expect(chosenTransports(given)).toEqual({ events, work });
    expect(promises({ ...parseSettings({}), ...given })).toMatchObject({ events, work });
  });

  it.each([kafka, bull])('are not replaced by PostgreSQL where an adapter is missing: %j', async (given) => {
    const database = await testDatabase();
    try {
      const db = await database.open();
      const clock = systemClock();
      const parts = { db, clock, pgNotify: createPgNotify({ db, clock }), onError: () => undefined };
      expect(() => openTransports(given, parts)).toThrow(/^no such pair of transports in this version/);
    } finally {
      await database.drop();
    }
  });
});
