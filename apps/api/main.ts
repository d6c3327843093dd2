import { labWarnings, parseSettings } from '@moorage/contracts';
import { createLog, runProcess } from '@moorage/server';
import { startApi } from './process';

const log = createLog({ name: 'api', level: process.env.LOG_LEVEL ?? 'info' });
await runProcess(log, async () => {
  const settings = parseSettings(process.env);
  for (const warning of labWarnings(settings)) log.warn(warning);
  if (settings.DATABASE_URL === undefined)
    throw new Error('DATABASE_URL is not set: only the all-in-one starts a database of its own');
  const api = await startApi({ settings, databaseUrl: settings.DATABASE_URL, log });
  log.info('ready', {
    url: api.url,
    mode: settings.MODE,
    clouds: settings.CLOUD_MODE,
    payments: settings.STRIPE_SECRET_KEY === undefined ? 'test' : 'stripe',
  });
  return api;
});
