export { apiModuleOf, type ApiParts, buildApi } from './build-api';
export { sampleMails } from './sample-mails';
export { type FakeStripe, fakeStripe, SECRET as STRIPE_SECRET, sign as signAsStripe } from '../../fakes/stripe';
export { type ApiHarness, apiHarness, type TestAccount } from './api-harness';
