import { CLOUD_NAMES, CloudError, type Cloud, type CloudName, type Clouds } from './cloud';

/** `CLOUD_MODE=live` before a provider has credentials: the api offers none, and whatever asks for one is refused here. */
export function notConfiguredClouds(): Clouds {
  return Object.fromEntries(CLOUD_NAMES.map((name) => [name, notConfigured(name)])) as unknown as Clouds;
}

function notConfigured(name: CloudName): Cloud {
  const refuse = (): Promise<never> => Promise.reject(new CloudError('auth', `${name} has no credentials here`));
  return {
    name,
    projectId: refuse,
    find: refuse,
    create: refuse,
    get: refuse,
    list: refuse,
    delete: refuse,
    catalogue: refuse,
  };
}
