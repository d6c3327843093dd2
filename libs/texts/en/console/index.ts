import { accountTexts } from './account';
import { activityTexts } from './activity';
import { adminReferralsTexts } from './admin-referrals';
import { automaticTexts } from './automatic';
import { backupsTexts } from './backups';
import { billingTexts } from './billing';
import { configurationTexts } from './configuration';
import { deploymentsTexts } from './deployments';
import { dnsSetupTexts } from './dns-setup';
import { domainsTexts } from './domains';
import { handOverTexts } from './hand-over';
import { incidentsTexts } from './incidents';
import { layoutTexts } from './layout';
import { leaksTexts } from './leaks';
import { logsTexts } from './logs';
import { mailboxTexts } from './mailbox';
import { metricsTexts } from './metrics';
import { movesTexts } from './moves';
import { overviewTexts } from './overview';
import { paymentsTexts } from './payments';
import { personTexts } from './person';
import { providersTexts } from './providers';
import { queuesTexts } from './queues';
import { referralsTexts } from './referrals';
import { resizeTexts } from './resize';
import { searchTexts } from './search';
import { sshKeysTexts } from './ssh-keys';
import { supportTexts } from './support';
import { supportInboxTexts } from './support-inbox';
import { undeleteTexts } from './undelete';
import { updatesTexts } from './updates';
import { usersTexts } from './users';
import { wizardTexts } from './wizard';

/** Texts of the console, by area. */
export const consoleTexts = {
  layout: layoutTexts,
  deployments: deploymentsTexts,
  dns_setup: dnsSetupTexts,
  domains: domainsTexts,
  backups: backupsTexts,
  undelete: undeleteTexts,
  hand_over: handOverTexts,
  configuration: configurationTexts,
  metrics: metricsTexts,
  incidents: incidentsTexts,
  moves: movesTexts,
  wizard: wizardTexts,
  billing: billingTexts,
  automatic: automaticTexts,
  overview: overviewTexts,
  users: usersTexts,
  payments: paymentsTexts,
  mailbox: mailboxTexts,
  search: searchTexts,
  account: accountTexts,
  activity: activityTexts,
  person: personTexts,
  referrals: referralsTexts,
  admin_referrals: adminReferralsTexts,
  ssh_keys: sshKeysTexts,
  logs: logsTexts,
  support: supportTexts,
  support_inbox: supportInboxTexts,
  providers: providersTexts,
  leaks: leaksTexts,
  queues: queuesTexts,
  resize: resizeTexts,
  updates: updatesTexts,
} as const;

export { reactAdminTexts } from './react-admin';

/** The domain defines its messages in English. */
export const messages = null;
