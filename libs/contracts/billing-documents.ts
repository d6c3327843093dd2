import {
  checkAddressLines,
  checkBillingName,
  checkCity,
  checkCountry,
  checkPostalCode,
  checkTaxId,
  isMonth,
  writtenText,
} from '@moorage/domain';
import { z } from 'zod';
import { idParams, refusedBy } from './account-fields';
import type { Call } from './call';
import { queryNumber } from './fields';
import { issueText } from './message';
import { numberedPages, pageNumber } from './numbered-pages';

export const DOCUMENT_KINDS = ['receipt', 'credit_note', 'statement'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** Recipient printed on receipts and statements. */
export const billingDetails = z
  .object({
    /** Name of an individual or a company. */
    name: z.string(),
    /** Address lines between the name and the city. */
    lines: z.array(z.string()),
    /** Empty for countries without postal codes. */
    postal_code: z.string(),
    city: z.string(),
    /** ISO 3166-1, two letters. */
    country: z.string(),
    tax_id: z.string().nullable(),
  })
  .meta({ id: 'BillingDetails' });
export type BillingDetailsAnswer = z.infer<typeof billingDetails>;

const TEXT_LENGTH_MAX = 1_000;
const evaluated = (check: Parameters<typeof refusedBy>[0]) =>
  z.string().overwrite(writtenText).max(TEXT_LENGTH_MAX).superRefine(refusedBy(check));

const newDetails = z
  .object({
    name: evaluated(checkBillingName),
    lines: z
      .array(z.string().overwrite(writtenText).max(TEXT_LENGTH_MAX))
      .max(20)
      .superRefine((lines, context) => {
        const why = checkAddressLines(lines);
        if (why !== null) context.addIssue({ code: 'custom', message: issueText(why) });
      }),
    postal_code: evaluated(checkPostalCode),
    city: evaluated(checkCity),
    country: evaluated(checkCountry),
    tax_id: z.string().overwrite(writtenText).max(TEXT_LENGTH_MAX).nullish(),
  })
  .superRefine(({ tax_id, country }, context) => {
    const why = checkTaxId(tax_id ?? '', country);
    if (why !== null) context.addIssue({ code: 'custom', path: ['tax_id'], message: issueText(why) });
  });

const month = z.string().refine(isMonth);

/** A receipt, credit note or statement in a list. Amounts are gross, as JSON numbers in currency units. */
export const billingDocument = z
  .object({
    id: z.int(),
    kind: z.enum(DOCUMENT_KINDS),
    /** Document number such as `R-2026-000001`, consecutive per kind and year. */
    number: z.string(),
    issued_at: z.iso.datetime(),
    /** Null for a statement. */
    amount: z.number().nullable(),
    /** Month of a statement, such as `2026-11`. */
    month: z.string().nullable(),
  })
  .meta({ id: 'BillingDocument' });
export type BillingDocumentAnswer = z.infer<typeof billingDocument>;

const documents = z.object({ documents: z.array(billingDocument), ...numberedPages }).meta({ id: 'BillingDocuments' });
export type BillingDocumentsAnswer = z.infer<typeof documents>;

const pages = z.object({ page: pageNumber, per_page: queryNumber(1, 100).default(10) });

export const BILLING_DOCUMENTS_CALLS = {
  billingDetails: {
    operation: 'getBillingDetails',
    method: 'GET',
    path: '/billing/details',
    summary: 'Get your billing details',
    description: '`null` if none are set. Documents then show only the username.',
    access: 'user',
    status: 200,
    answer: z.object({ details: billingDetails.nullable() }),
    errors: [],
  },
  saveBillingDetails: {
    operation: 'setBillingDetails',
    method: 'PUT',
    path: '/billing/details',
    summary: 'Set your billing details',
    description: 'Used for new receipts and statements. Issued documents do not change.',
    access: 'user',
    session_only: true,
    body: newDetails,
    status: 200,
    answer: z.object({ details: billingDetails.nullable() }),
    errors: ['FIELDS_INVALID'],
  },
  listDocuments: {
    operation: 'listBillingDocuments',
    method: 'GET',
    path: '/billing/documents',
    summary: 'List your billing documents',
    description: 'Receipts, credit notes and issued statements, newest first.',
    access: 'user',
    query: pages,
    status: 200,
    answer: documents,
    errors: [],
  },
  documentFile: {
    operation: 'downloadBillingDocument',
    method: 'GET',
    path: '/billing/documents/{id}/pdf',
    summary: 'Download a billing document',
    description: 'Returns a PDF. Available to the owner and to administrators.',
    access: 'user',
    params: idParams,
    status: 200,
    answer: null,
    errors: ['NOT_FOUND'],
    limit: 'documents',
  },
  listStatements: {
    operation: 'listStatementMonths',
    method: 'GET',
    path: '/billing/statements',
    summary: 'List months with a statement',
    description: 'Completed UTC months, newest first.',
    access: 'user',
    status: 200,
    answer: z.array(
      z.object({
        month: z.string(),
        /** Null if it has not been issued yet. */
        document_id: z.int().nullable(),
      }),
    ),
    errors: [],
  },
  issueStatement: {
    operation: 'issueStatement',
    method: 'POST',
    path: '/billing/statements/{month}',
    summary: 'Issue the statement of a month',
    description: '`month` is a completed UTC month such as `2026-11`. Repeating the call returns the same statement.',
    access: 'user',
    params: z.object({ month }),
    status: 200,
    answer: billingDocument,
    errors: ['NOT_FOUND', 'STATEMENT_NOT_READY'],
    limit: 'statements',
  },
  userDocuments: {
    operation: 'listBillingDocumentsOfUser',
    method: 'GET',
    path: '/billing/admin/users/{id}/documents',
    summary: 'List the billing documents of a user',
    description: 'Receipts, credit notes and issued statements, newest first.',
    access: 'admin',
    params: idParams,
    query: pages,
    status: 200,
    answer: documents,
    errors: ['NOT_FOUND'],
  },
} as const satisfies Record<string, Call>;
