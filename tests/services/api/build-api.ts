import { CoreModule, type CoreParts } from '@moorage/runtime';
import { type DynamicModule, Module } from '@nestjs/common';
import { type Api, createApi } from '@moorage/api/api';
import { ApiCoreModule, type ApiCoreParts } from '@moorage/api/api-core.module';
import { ApiModule } from '@moorage/api/api.module';
import type { HttpOptions } from '@moorage/api/http/http.module';

/**
 * External parts from which an api is built: the database opened with the api's role, and the outbox with which
 * `ledger` and `deployments` were built.
 */
export interface ApiParts extends CoreParts, ApiCoreParts {}

/**
 * Builds the api from given parts, with the modules of production but without schedule and messaging. It does not
 * listen yet.
 */
export async function buildApi(parts: ApiParts, options: HttpOptions = {}): Promise<Api> {
  const { settings, random } = parts;
  const api = await createApi(apiModuleOf(parts, options), { settings, random });
  await api.init();
  return api;
}

/** Returns the root module of an api of given parts. */
export function apiModuleOf(parts: ApiParts, options: HttpOptions = {}): DynamicModule {
  return {
    module: BuiltApiModule,
    imports: [CoreModule.ofParts(parts), ApiCoreModule.ofParts(parts), ApiModule.of(parts.settings, options)],
  };
}

@Module({})
class BuiltApiModule {}
