import type { DocumentFacts } from './document-facts';
import { documentPdf } from './document-pdf';

/** Entry point of a worker thread, which renders a document as PDF. */
export default (facts: DocumentFacts): Promise<Buffer> => documentPdf(facts);
