/** What all that is sent says of its sender: `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` go before what we say. */
import {
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from "@opentelemetry/resources";

export function resourceOf(version: string): Resource {
  const own = resourceFromAttributes({ "service.name": "troupe", "service.version": version });
  return own.merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] }));
}
