import { expect, it } from '@jest/globals';
import { fixturesOfSuite } from '@moorage/tests/services/provisioner';

const openFixture = fixturesOfSuite();

it('measures each completed step of a run by plan and provider', async () => {
  const fixture = await openFixture();
  const actor = await fixture.actor();
  const id = await fixture.order();
  await fixture.until(actor, id, 'READY');
  const { values } = await actor.provisioner.metrics.runStepSeconds.get();
  const of = (part: string): string[] =>
    values
      .filter(({ metricName }) => metricName?.endsWith(part))
      .map(({ labels, value }) => `${labels.plan} ${labels.step} ${labels.provider} ${labels.outcome} ${value}`);
  const { cloud_provider } = await fixture.row(id);
  expect(of('_count')).toEqual(
    ['create-server', 'wait-for-ssh', 'preflight', 'bootstrap', 'upload-stack', 'start-stack', 'check-health']
      .concat(['validate-dns', 'issue-certificate', 'finish'])
      .map((step) => `create ${step} ${cloud_provider} done 1`),
  );
  // Its machine boots for 20 seconds.
  const seconds = of('_sum').map((line) => Number(line.split(' ').at(-1)));
  expect(Math.max(...seconds)).toBeGreaterThanOrEqual(20);
});

it('counts a step that is retried after an error, and a step that fails permanently', async () => {
  const fixture = await openFixture();
  const actor = await fixture.actor();
  const outcomes = async (): Promise<string[]> => {
    const { values } = await actor.provisioner.metrics.runStepSeconds.get();
    return values
      .filter(({ metricName, labels }) => metricName?.endsWith('_count') && labels.step === 'create-server')
      .map(({ labels, value }) => `${labels.outcome} ${value}`);
  };
  fixture.memory.fault('any', 'create', 'server_error', 1);
  await fixture.until(actor, await fixture.order(), 'READY');
  expect(await outcomes()).toEqual(['retry 1', 'done 1']);
  fixture.memory.fault('any', 'create', 'no_capacity', 1);
  await fixture.until(actor, await fixture.order(), 'FAILED');
  expect(await outcomes()).toEqual(['retry 1', 'done 1', 'failed 1']);
});
