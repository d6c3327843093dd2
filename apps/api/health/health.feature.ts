import { ALL_CALLS, HEALTH_CALLS } from '@moorage/contracts';
import { isSchemaReady, SCHEMA_VERSION } from '@moorage/database';
import { ACCESS_WORDS, DomainError } from '@moorage/domain';
import { Controller, Inject } from '@nestjs/common';
import type { ApiDeps, Feature } from '../feature';
import { openApi, type OpenApi } from '../http/openapi';
import { Serve } from '../http/serve';

const HEALTH = Symbol('health');

interface Health {
  ready(): Promise<{ status: 'ready'; schema: string }>;
  docs(): OpenApi;
}

function createHealth({ db, settings }: ApiDeps): Health {
  // the table of calls does not change while we run
  let documentation: OpenApi | undefined;
  return {
    async ready() {
      if (!(await db.look('health.ready', isSchemaReady))) {
        throw new DomainError('SERVICE_UNAVAILABLE', ACCESS_WORDS.schema);
      }
      return { status: 'ready', schema: SCHEMA_VERSION };
    },
    docs: () =>
      (documentation ??= openApi(ALL_CALLS, { title: `${settings.brand.name} API`, url: settings.publicUrl })),
  };
}

@Controller()
export class HealthController {
  constructor(@Inject(HEALTH) private readonly health: Health) {}

  @Serve(HEALTH_CALLS.live)
  live() {
    return { status: 'live' as const };
  }

  @Serve(HEALTH_CALLS.ready)
  ready() {
    return this.health.ready();
  }

  @Serve(HEALTH_CALLS.docs)
  docs() {
    return this.health.docs();
  }
}

export function createHealthFeature(deps: ApiDeps): Feature {
  return { controllers: [HealthController], providers: [{ provide: HEALTH, useValue: createHealth(deps) }] };
}
