import { useAsTemplate } from '@moorage/testing';
import { adaptersOf } from '@moorage/testing/transports/adapters';
import { type PostgresContainer, startPostgres } from '@moorage/testing/transports/servers';
import { transportsSuite } from '@moorage/testing/transports/transports.suite';
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
