import { BACKUP_DOWNLOADS_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { BackupDownloads } from './backup-downloads.service';

type Calls = typeof BACKUP_DOWNLOADS_CALLS;

@Controller()
export class BackupDownloadsController {
  constructor(private readonly downloads: BackupDownloads) {}

  @Serve(BACKUP_DOWNLOADS_CALLS.list)
  list({ caller, params }: CallInput<Calls['list']>) {
    return this.downloads.list(caller, params.id);
  }

  @Serve(BACKUP_DOWNLOADS_CALLS.create)
  create({ caller, params, reply }: CallInput<Calls['create']>) {
    reply.header('cache-control', 'no-store');
    return this.downloads.create(caller, { deploymentId: params.id, backupId: params.backup_id });
  }

  @Serve(BACKUP_DOWNLOADS_CALLS.link)
  link({ caller, params, reply }: CallInput<Calls['link']>) {
    reply.header('cache-control', 'no-store');
    return this.downloads.link(caller, { deploymentId: params.id, downloadId: params.download_id });
  }

  @Serve(BACKUP_DOWNLOADS_CALLS.file)
  async file({ params, reply }: CallInput<Calls['file']>) {
    const { fileName, bytes, content } = await this.downloads.file(params.token);
    reply.header('content-type', 'application/octet-stream');
    reply.header('content-disposition', `attachment; filename="${fileName}"`);
    reply.header('content-length', String(bytes));
    reply.header('cache-control', 'no-store');
    return content;
  }
}
