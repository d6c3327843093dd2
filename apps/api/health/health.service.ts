import { createHash } from 'node:crypto';
import { ALL_CALLS } from '@moorage/contracts';
import { isSchemaReady, SCHEMA_VERSION } from '@moorage/database';
import { ACCESS_MESSAGES, DomainError } from '@moorage/domain';
import { TransportState } from '@moorage/runtime';
import { Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { openApi } from '../http/openapi';
import { ApiSettings } from '../settings';

@Injectable()
export class HealthService {
  private documentation: { readonly text: string; readonly etag: string } | undefined;

  constructor(
    private readonly db: Db,
    private readonly settings: ApiSettings,
    private readonly transports: TransportState,
  ) {}

  async ready(): Promise<{ status: 'ready'; schema: string }> {
    if (!(await this.db.read('health.ready', isSchemaReady))) {
      throw new DomainError('SERVICE_UNAVAILABLE', ACCESS_MESSAGES.schema);
    }
    // Only checked until they were reached once: later the service continues while a broker is unreachable, and events
    // wait.
    if (!this.transports.reached()) throw new DomainError('SERVICE_UNAVAILABLE', ACCESS_MESSAGES.transports);
    return { status: 'ready', schema: SCHEMA_VERSION };
  }

  /**
   * Returns the API description as JSON with its entity tag. It is built once, because the table of calls does not
   * change at run time.
   */
  docs(): { readonly text: string; readonly etag: string } {
    return (this.documentation ??= this.describe());
  }

  private describe(): { text: string; etag: string } {
    const { brand, publicUrl } = this.settings;
    const text = JSON.stringify(openApi(ALL_CALLS, { title: `${brand.name} API`, url: publicUrl }));
    return { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` };
  }
}
