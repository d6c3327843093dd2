import type { DocumentFacts } from './document-facts';
import { documentPdf } from './document-pdf';

/** The entry of a worker thread: one document, as PDF. */
export default (facts: DocumentFacts): Promise<Buffer> => documentPdf(facts);
