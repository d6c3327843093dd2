import { consoleMessages } from './console';
import { dataExportMessages } from './data-export';
import { publicMessages } from './public';

/** Every message of the domain. */
export const messages = { ...publicMessages, ...consoleMessages, ...dataExportMessages };
