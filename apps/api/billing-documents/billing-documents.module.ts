import { Module } from '@nestjs/common';
import { BillingDetailsService } from './billing-details.service';
import { BillingDocumentsController } from './billing-documents.controller';
import { DocumentRenderer } from './document-renderer.service';
import { DocumentsService } from './documents.service';
import { IssueDocuments } from './issue-documents.use-case';
import { TaxRates } from './tax-rates.service';

/** Receipts, credit notes and monthly statements, and their recipients. */
@Module({
  controllers: [BillingDocumentsController],
  providers: [BillingDetailsService, DocumentRenderer, DocumentsService, IssueDocuments, TaxRates],
})
export class BillingDocumentsModule {}
