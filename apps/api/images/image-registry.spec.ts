import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ImagePin, imagePin } from '@moorage/domain';
import { ImageRegistry } from './image-registry';
import { digestOf, json, type TestRegistry, testRegistry } from '@moorage/tests/services/api/images';

let server: TestRegistry;
let client: ImageRegistry;
/** Ends the requests that wait. */
let late: AbortController;
beforeEach(async () => {
  server = await testRegistry();
  server.repositories.set('fosrl/pangolin', new Map(['1.23.0', '1.24.0', '1.25.0', 'latest', 'x'].map((t) => [t, t])));
  late = new AbortController();
  client = new ImageRegistry({ signal: new AbortController().signal, deadline: () => late.signal });
});
afterEach(async () => {
  await server.close();
});

function pin(reference = ':1.24.0'): ImagePin {
  const parsed = imagePin(`${server.host}/fosrl/pangolin${reference}`);
  if (parsed === null) throw new Error('not an image');
  return parsed;
}

describe('image at a registry', () => {
  it('is found with a token, which is used again', async () => {
    expect(await client.find(pin())).toEqual({ state: 'found', digest: digestOf('1.24.0') });
    expect(await client.find(pin(':1.25.0'))).toEqual({ state: 'found', digest: digestOf('1.25.0') });
    expect(server.requests).toEqual([
      'HEAD /v2/fosrl/pangolin/manifests/1.24.0',
      'GET /token?service=test&scope=repository%3Afosrl%2Fpangolin%3Apull',
      'HEAD /v2/fosrl/pangolin/manifests/1.24.0',
      'HEAD /v2/fosrl/pangolin/manifests/1.25.0',
    ]);
  });

  it('is found by its digest', async () => {
    const digest = digestOf('1.23.0');
    expect(await client.find(pin(`:1.24.0@${digest}`))).toEqual({ state: 'found', digest });
  });

  it('is missing', async () => {
    expect(await client.find(pin(':9.9.9'))).toEqual({ state: 'missing' });
  });

  it.each([401, 403, 429, 500, 503, 302, 204])('is not known if the registry returns %d', async (status) => {
    server.intercept = (_, response) => {
      response.setHeader('location', `http://${server.host}/elsewhere`);
      json(response, status, {});
      return true;
    };
    await expect(client.find(pin())).rejects.toMatchObject({ name: 'RegistryUnreachable' });
    expect(server.requests).toHaveLength(1);
  });

  it('is not known while nothing listens', async () => {
    await server.close();
    await expect(client.find(pin())).rejects.toMatchObject({ name: 'RegistryUnreachable', message: 'ECONNREFUSED' });
  });

  it.each([
    ['http://registry.example/token', 'its tokens are not served over HTTPS'],
    ['not an address', 'no token is offered'],
  ])('is not known if tokens come from %s', async (realm, message) => {
    server.realm = realm;
    await expect(client.find(pin())).rejects.toMatchObject({ message });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['is none', {}],
    ['would break a header', { token: 'a\r\nb' }],
  ])('is not known if its token %s', async (_, body) => {
    server.intercept = ({ url = '' }, response) => {
      if (!url.startsWith('/token')) return false;
      json(response, 200, body);
      return true;
    };
    await expect(client.find(pin())).rejects.toMatchObject({ message: 'the response is not as expected' });
  });

  it('is not asked for again at a registry that limits requests', async () => {
    server.intercept = (_, response) => {
      json(response, 429, {});
      return true;
    };
    await expect(client.find(pin())).rejects.toMatchObject({ message: 'too many requests' });
    await expect(client.tags(pin())).rejects.toMatchObject({ message: 'too many requests' });
    expect(server.requests).toHaveLength(1);
  });
});

describe('tags of a repository', () => {
  it('are read from all pages', async () => {
    expect(await client.tags(pin())).toEqual(['1.23.0', '1.24.0', '1.25.0', 'latest', 'x']);
    expect(server.requests.filter((line) => line.includes('/tags/'))).toHaveLength(4);
  });

  it('end after twenty pages', async () => {
    server.repositories.set('fosrl/pangolin', new Map(Array.from({ length: 100 }, (_, n) => [`${n}`, `${n}`])));
    expect(await client.tags(pin())).toHaveLength(40);
  });

  it('are not read from another host', async () => {
    server.intercept = ({ url = '' }, response) => {
      if (!url.includes('/tags/')) return false;
      response.setHeader('link', '<https://other.example/v2/fosrl/pangolin/tags/list>; rel="next"');
      json(response, 200, { tags: ['1.0.0'] });
      return true;
    };
    expect(await client.tags(pin())).toEqual(['1.0.0']);
  });

  it('are not known if the response does not end', async () => {
    server.intercept = ({ url = '' }, response) => {
      if (!url.includes('/tags/')) return false;
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        if (!response.destroyed) response.write('x'.repeat(64 * 1024), more);
      };
      more();
      return true;
    };
    await expect(client.tags(pin())).rejects.toMatchObject({ name: 'RegistryUnreachable' });
  });

  it('are not known if the response stops', async () => {
    server.intercept = ({ url = '' }, response) => {
      if (!url.includes('/tags/')) return false;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"tags":[', () => late.abort());
      return true;
    };
    await expect(client.tags(pin())).rejects.toMatchObject({ message: 'no response in time' });
  });

  it.each([['text'], ['{"tags":"1.0.0"}']])('are not known if the response is %s', async (body) => {
    server.intercept = ({ url = '' }, response) => {
      if (!url.includes('/tags/')) return false;
      response.end(body);
      return true;
    };
    await expect(client.tags(pin())).rejects.toMatchObject({ message: 'the response is not as expected' });
  });
});
