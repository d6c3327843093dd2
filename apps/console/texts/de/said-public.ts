import { PUBLIC_SENTENCES } from '@moorage/domain';
import { createSpeaker } from '../speaker';
import { publicSentences } from './sentences-public';

/** `The body` as a field's name. */
export const wholeField = (field: string): string => (field === 'The body' ? 'Die Anfrage' : field);

export const sayPublic = createSpeaker({
  tables: PUBLIC_SENTENCES,
  texts: publicSentences,
  facts: { field: wholeField },
});
