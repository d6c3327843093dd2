import { useAsTemplate } from '@moorage/testing';
import { adaptersOf } from './testing/adapters';
import { type PostgresContainer, startPostgres } from './testing/servers';
import { transportsSuite } from './transports.suite';
import { afterAll, beforeAll } from '@jest/globals';

// The shipped server, which writes durably. The server of the other suites does not.
let postgres: PostgresContainer;
beforeAll(async () => {
  postgres = await startPostgres();
  await useAsTemplate(postgres.url);
});
afterAll(() => postgres.stop());

transportsSuite('postgres + postgres, in a container', async (database) =>
  adaptersOf(database, {}, { cut: () => undefined, close: () => Promise.resolve() }),
);
