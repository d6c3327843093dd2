import { Readable } from 'node:stream';
import { ACCOUNT_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { DataExports } from './data-exports.service';

@Controller()
export class DataExportsController {
  constructor(private readonly exports: DataExports) {}

  @Serve(ACCOUNT_CALLS.listExports)
  list({ caller }: CallInput<typeof ACCOUNT_CALLS.listExports>) {
    return this.exports.list(caller);
  }

  @Serve(ACCOUNT_CALLS.requestExport)
  request({ caller }: CallInput<typeof ACCOUNT_CALLS.requestExport>) {
    return this.exports.request(caller);
  }

  @Serve(ACCOUNT_CALLS.exportFile)
  async file({ caller, params, reply }: CallInput<typeof ACCOUNT_CALLS.exportFile>) {
    const content = await this.exports.file(caller, params.id);
    reply.header('content-type', 'application/zip');
    reply.header('content-disposition', `attachment; filename="moorage-export-${params.id}.zip"`);
    reply.header('content-length', String(content.length));
    reply.header('cache-control', 'no-store');
    return Readable.from(content);
  }
}
