import english from 'ra-language-english';

const { ra } = english;

/** react-admin's own texts. */
export const reactAdminTexts = {
  ra: { ...ra, notification: { ...ra.notification, item_doesnt_exist: 'This entry does not exist' } },
};
