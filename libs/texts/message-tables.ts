import type {
  ACCESS_MESSAGES,
  ACCOUNT_MESSAGES,
  ALERT_ADVICE,
  ALERT_MESSAGES,
  BACKUP_MESSAGES,
  BILLING_DOCUMENT_MESSAGES,
  CERTIFICATE_MESSAGES,
  CHANGE_MESSAGES,
  CONNECTION_MESSAGES,
  CREDITS_MESSAGES,
  DATA_EXPORT_MESSAGES,
  DNS_MESSAGES,
  ENDED_INCIDENT_MESSAGES,
  FURTHER_DOMAIN_MESSAGES,
  HISTORY_MESSAGES,
  INCIDENT_MESSAGES,
  INCIDENT_SUPPORT_MESSAGES,
  LEAK_MESSAGES,
  LOG_MESSAGES,
  MAIL_KIND_MESSAGES,
  MAIL_TITLES,
  MOVE_MESSAGES,
  ORDER_MESSAGES,
  OWNER_RECORD_MESSAGES,
  OWN_ACCOUNT_MESSAGES,
  PROVIDER_MESSAGES,
  RATE_LIMIT_MESSAGES,
  REMEDY_MESSAGES,
  RESIZE_MESSAGES,
  SERVER_CHECK_MESSAGES,
  SHAPE_MESSAGES,
  STEP_MESSAGES,
  SUPPORT_MESSAGES,
  UPDATE_MESSAGES,
  USERS_MESSAGES,
  WATCH_MESSAGES,
} from '@moorage/domain';

/** Messages that can appear without a login. */
export interface PublicTables {
  readonly access: typeof ACCESS_MESSAGES & typeof CONNECTION_MESSAGES;
  readonly account: typeof ACCOUNT_MESSAGES;
  readonly mail_kind: typeof MAIL_KIND_MESSAGES;
  readonly rate_limit: typeof RATE_LIMIT_MESSAGES;
  readonly shape: typeof SHAPE_MESSAGES;
  readonly support: typeof SUPPORT_MESSAGES;
}

/** Messages of the console and of emails. */
export interface ConsoleTables {
  readonly alert: typeof ALERT_MESSAGES;
  readonly alert_advice: typeof ALERT_ADVICE;
  readonly backup: typeof BACKUP_MESSAGES;
  readonly billing_document: typeof BILLING_DOCUMENT_MESSAGES;
  readonly certificate: typeof CERTIFICATE_MESSAGES;
  readonly change: typeof CHANGE_MESSAGES;
  readonly credits: typeof CREDITS_MESSAGES;
  readonly dns: typeof DNS_MESSAGES;
  readonly ended_incidents: typeof ENDED_INCIDENT_MESSAGES;
  readonly further_domain: typeof FURTHER_DOMAIN_MESSAGES;
  readonly history: typeof HISTORY_MESSAGES;
  readonly incident_support: typeof INCIDENT_SUPPORT_MESSAGES;
  readonly incidents: typeof INCIDENT_MESSAGES;
  readonly leaks: typeof LEAK_MESSAGES;
  readonly logs: typeof LOG_MESSAGES;
  readonly mail_title: typeof MAIL_TITLES;
  readonly move: typeof MOVE_MESSAGES;
  readonly order: typeof ORDER_MESSAGES;
  readonly own_account: typeof OWN_ACCOUNT_MESSAGES;
  readonly owner_record: typeof OWNER_RECORD_MESSAGES;
  readonly provider: typeof PROVIDER_MESSAGES;
  readonly remedies: typeof REMEDY_MESSAGES;
  readonly resize: typeof RESIZE_MESSAGES;
  readonly server_check: typeof SERVER_CHECK_MESSAGES;
  readonly step: typeof STEP_MESSAGES;
  readonly update: typeof UPDATE_MESSAGES;
  readonly users: typeof USERS_MESSAGES;
  readonly watch: typeof WATCH_MESSAGES;
}

/** Texts of README.txt in a data export. No screen shows them. */
export interface ExportTables {
  readonly data_export: typeof DATA_EXPORT_MESSAGES;
}
