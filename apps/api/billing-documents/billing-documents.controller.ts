import { Readable } from 'node:stream';
import { BILLING_DOCUMENTS_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { BillingDetailsService } from './billing-details.service';
import { DocumentsService } from './documents.service';

@Controller()
export class BillingDocumentsController {
  constructor(
    private readonly details: BillingDetailsService,
    private readonly documents: DocumentsService,
  ) {}

  @Serve(BILLING_DOCUMENTS_CALLS.billingDetails)
  billingDetails({ caller }: CallInput<typeof BILLING_DOCUMENTS_CALLS.billingDetails>) {
    return this.details.read(caller);
  }

  @Serve(BILLING_DOCUMENTS_CALLS.saveBillingDetails)
  saveBillingDetails({ caller, body }: CallInput<typeof BILLING_DOCUMENTS_CALLS.saveBillingDetails>) {
    return this.details.save(caller, body);
  }

  @Serve(BILLING_DOCUMENTS_CALLS.listDocuments)
  listDocuments({ caller, query }: CallInput<typeof BILLING_DOCUMENTS_CALLS.listDocuments>) {
    return this.documents.list(caller, query);
  }

  @Serve(BILLING_DOCUMENTS_CALLS.documentFile)
  async documentFile({ caller, params, reply }: CallInput<typeof BILLING_DOCUMENTS_CALLS.documentFile>) {
    const { name, content } = await this.documents.file(caller, params.id);
    reply.header('content-type', 'application/pdf');
    reply.header('content-disposition', `attachment; filename="${name}"`);
    reply.header('content-length', String(content.length));
    reply.header('cache-control', 'no-store');
    return Readable.from(content);
  }

  @Serve(BILLING_DOCUMENTS_CALLS.listStatements)
  listStatements({ caller }: CallInput<typeof BILLING_DOCUMENTS_CALLS.listStatements>) {
    return this.documents.statements(caller);
  }

  @Serve(BILLING_DOCUMENTS_CALLS.issueStatement)
  issueStatement({ caller, params }: CallInput<typeof BILLING_DOCUMENTS_CALLS.issueStatement>) {
    return this.documents.issueStatement(caller, params.month);
  }

  @Serve(BILLING_DOCUMENTS_CALLS.userDocuments)
  userDocuments({ params, query }: CallInput<typeof BILLING_DOCUMENTS_CALLS.userDocuments>) {
    return this.documents.listOf(params.id, query);
  }
}
