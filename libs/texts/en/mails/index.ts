import type { MailTexts } from '../../mails/mail-facts';
import { accountMails } from './account';
import { backupsMails } from './backups';
import { deploymentsMails } from './deployments';
import { moneyMails } from './money';
import { operatorsMails } from './operators';
import { supportMails } from './support';
import { updatesMails } from './updates';

export const mails: MailTexts = {
  ...accountMails,
  ...moneyMails,
  ...deploymentsMails,
  ...backupsMails,
  ...updatesMails,
  ...supportMails,
  ...operatorsMails,
};
