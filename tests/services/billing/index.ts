export { billingHandlers, type BillingParts, buildBilling } from './build-billing';
