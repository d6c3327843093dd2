import { beforeAll, describe, expect, it } from '@jest/globals';
import { ALL_CALLS, type Call } from '@moorage/contracts';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { z } from 'zod';
import { type OpenApi, openApi } from './openapi';

let description: OpenApi;

beforeAll(() => {
  description = openApi(ALL_CALLS, { title: 'Moorage API', url: 'https://moorage.example' });
});

describe('API description', () => {
  it('passes the recommended rules of Redocly', async () => {
    // The specification contains both /deployments/{id}/... and /deployments/regions/{provider}, and an id is a number.
    const config = await createConfig({ extends: ['recommended'], rules: { 'no-ambiguous-paths': 'off' } });
    const problems = await lintFromString({ source: JSON.stringify(description), config });
    expect(problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer} ${message}`)).toEqual([]);
  });

  it('generates client types that compile', async () => {
    const source = astToString(await openapiTS(JSON.stringify(description)));
    const { diagnostics } = ts.transpileModule(source, { reportDiagnostics: true });
    expect(diagnostics).toEqual([]);
    expect(source).toContain('createDeployment:');
  });

  it('describes each parameter', () => {
    const operations = Object.values(description.paths).flatMap((path) => Object.values(path)) as {
      operationId: string;
      parameters: { name: string; description?: string }[];
    }[];
    const silent = operations.flatMap(({ operationId, parameters }) =>
      parameters.filter((one) => one.description === undefined).map(({ name }) => `${operationId} ${name}`),
    );
    expect(silent).toEqual([]);
  });

  it('lets clients omit a body only where all its fields are optional', () => {
    const optional = ALL_CALLS.filter((call: Call) => call.optional_body === true);
    expect(optional.map(({ operation }) => operation)).toContain('startServer');
    expect(optional.filter(({ body }: Call) => body?.safeParse({}).success !== true)).toEqual([]);
    const paths = description.paths as Record<string, { post: { requestBody: { required: boolean } } }>;
    expect(paths['/deployments/{id}/start-server']?.post.requestBody.required).toBe(false);
  });

  it('has examples of the main requests and responses, which their schemas accept unchanged', () => {
    const schemas = ALL_CALLS.flatMap(({ body, answer, query }) => [
      ...[body, answer].map((schema) => (schema instanceof z.ZodArray ? schema.element : schema)),
      ...(query instanceof z.ZodObject ? Object.values(query.shape) : []),
    ]).filter((schema): schema is z.ZodType => schema instanceof z.ZodType);
    const shown = [...new Set(schemas)].flatMap((schema) =>
      ((schema.meta()?.examples ?? []) as unknown[]).map((example) => ({ schema, example })),
    );
    expect(shown.length).toBeGreaterThan(10);
    for (const { schema, example } of shown) {
      const parsed: unknown = schema.parse(example);
      if (typeof example === 'object') expect(parsed).toMatchObject(example as object);
    }
    const json = JSON.stringify(description);
    for (const { example } of shown) expect(json).toContain(`"examples":[${JSON.stringify(example)}]`);
    expect(description.components).toMatchObject({
      schemas: Object.fromEntries(
        ['ApiToken', 'Backup', 'Balance', 'Conversation', 'Deployment', 'Runway', 'User'].map((name) => [
          name,
          { examples: [expect.anything()] },
        ]),
      ),
    });
  });

  it('has unique names, summaries under ten words and no broken references', () => {
    const names = ALL_CALLS.map(({ operation }) => operation);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(names.filter((name) => !/^[a-z][A-Za-z]+$/.test(name))).toEqual([]);
    const long = ALL_CALLS.filter(({ summary }) => summary.split(' ').length > 9 || summary.endsWith('.'));
    expect(long.map(({ summary }) => summary)).toEqual([]);
    const { schemas } = description.components as { schemas: Record<string, unknown> };
    const references = JSON.stringify(description).match(/"#\/[^"]+"/g) ?? [];
    expect(references.length).toBeGreaterThan(200);
    const lost = references.filter((one) => !(one.slice('"#/components/schemas/'.length, -1) in schemas));
    expect(lost).toEqual([]);
  });
});
