import { ALL_CALLS } from '@moorage/contracts';
import { isSchemaReady, SCHEMA_VERSION } from '@moorage/database';
import { ACCESS_MESSAGES, DomainError } from '@moorage/domain';
import { TransportState } from '@moorage/runtime';
import { Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { openApi, type OpenApi } from '../http/openapi';
import { ApiSettings } from '../settings';

@Injectable()
export class HealthService {
  private documentation: OpenApi | undefined;

  constructor(
    private readonly db: Db,
    private readonly settings: ApiSettings,
    private readonly transports: TransportState,
  ) {}

  async ready(): Promise<{ status: 'ready'; schema: string }> {
    if (!(await this.db.read('health.ready', isSchemaReady))) {
      throw new DomainError('SERVICE_UNAVAILABLE', ACCESS_MESSAGES.schema);
    }
    // only until it has: whoever is served goes on while a broker is away, and what is to be told waits
    if (!this.transports.reached()) throw new DomainError('SERVICE_UNAVAILABLE', ACCESS_MESSAGES.transports);
    return { status: 'ready', schema: SCHEMA_VERSION };
  }

  /** Made once: the table of calls does not change while we run. */
  docs(): OpenApi {
    const { brand, publicUrl } = this.settings;
    return (this.documentation ??= openApi(ALL_CALLS, { title: `${brand.name} API`, url: publicUrl }));
  }
}
