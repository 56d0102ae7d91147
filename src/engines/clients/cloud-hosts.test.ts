import { describe, expect, it } from 'vitest';
import { mayReach } from '../../sandbox/egress/egress-rules.ts';
import { createBody } from '../../sandbox/protocol.ts';
import { AWS_HOSTS, GCLOUD_HOSTS } from './cloud-hosts.ts';

const rules = { allow: [...AWS_HOSTS, ...GCLOUD_HOSTS], brokers: [] };

describe('the hosts of clouds that a run may reach', () => {
  it("fit within the controller's limits", () =>
    expect(createBody.parse({ network: { allow: rules.allow } }).network.allow).toEqual(rules.allow));

  it.each([
    'sts.amazonaws.com',
    'sts.eu-central-1.amazonaws.com',
    'ec2.us-east-1.amazonaws.com',
    'ec2.us-gov-west-1.amazonaws.com',
    'logs.ap-southeast-2.amazonaws.com',
    's3.us-west-2.amazonaws.com',
    's3.amazonaws.com',
    'reports.s3.eu-west-1.amazonaws.com',
    'reports.2026.s3.amazonaws.com',
    'api.ecr.us-east-1.amazonaws.com',
    'IAM.amazonaws.com',
    'compute.googleapis.com',
    'storage.googleapis.com',
    'us-central1-run.googleapis.com',
    'europe-west10-aiplatform.googleapis.com',
  ])('are interfaces of their services: %s', (host) => expect(mayReach(rules, host, 443)).toBe(true));

  it.each([
    // Anybody can have one of these.
    'ec2-203-0-113-7.compute-1.amazonaws.com',
    'ec2-203-0-113-7.eu-west-1.compute.amazonaws.com',
    'abc123.execute-api.us-east-1.amazonaws.com',
    'mine-123.us-east-1.elb.amazonaws.com',
    'abc.lambda-url.us-east-1.on.aws',
    'mine.us-east-1.elasticbeanstalk.com',
    'mine.s3-website-us-east-1.amazonaws.com',
    'mine.s3-website.eu-west-1.amazonaws.com',
    'search-mine.us-east-1.es.amazonaws.com',
    'mine.iot.us-east-1.amazonaws.com',
    'd111.cloudfront.net',
    'us-central1-mine.cloudfunctions.net',
    'mine-uc.a.run.app',
    'mine.storage.googleapis.com',
    'mine.firebaseio.com',
    'script.googleapis.com',
    'drive.googleapis.com',
    'gmail.googleapis.com',
    'www.googleapis.com',
    'firebasestorage.googleapis.com',
    // Looks alike, and is a name of somebody else's choice.
    'sts.s3-us-west-2.amazonaws.com',
    'ec2.elb.amazonaws.com',
    'sts.us-east-1.amazonaws.com.evil.test',
    'evilsts.us-east-1.amazonaws.com',
    'x.sts.us-east-1.amazonaws.com',
    'a.b.us-east-1.amazonaws.com',
    'ec2.compute-1.amazonaws.com',
    'ec2.us-east-1.api.aws',
    'evil-run.googleapis.com',
    'amazonaws.com',
    'googleapis.com',
    '.s3.amazonaws.com',
    '169.254.169.254',
    'metadata.google.internal',
    'instance-data.ec2.internal',
    '169-254-169-254.us-east-1.amazonaws.com',
  ])('are no others: %s', (host) => expect(mayReach(rules, host, 443)).toBe(false));

  it('are reached on their own port only', () => expect(mayReach(rules, 'sts.amazonaws.com', 80)).toBe(false));
});
