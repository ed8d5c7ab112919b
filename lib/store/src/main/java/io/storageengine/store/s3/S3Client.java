package io.storageengine.store.s3;

import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3AsyncClientBuilder;

/// Sets the SDK's client up.
final class S3Client {
    private static final int CONNECTIONS = 256;

    private S3Client() {}

    /// @throws SdkClientException when no place names a region and the service is AWS
    static Region region(S3Options options) {
        if (options.region().isPresent()) return Region.of(options.region().get());
        try {
            return new DefaultAwsRegionProviderChain().getRegion();
        } catch (SdkClientException e) {
            if (options.endpoint().isPresent()) return Region.US_EAST_1;
            throw e;
        }
    }

    /// @throws SdkClientException when there are no credentials
    static S3AsyncClient of(S3Options options, Region region) {
        AwsCredentialsProvider credentials =
                options.credentials().map(S3Client::fixed).orElseGet(S3Client::standard);
        S3AsyncClientBuilder builder = S3AsyncClient.builder()
                .region(region)
                .credentialsProvider(credentials)
                .forcePathStyle(options.pathStyle())
                .httpClientBuilder(http(options.callMillis()))
                .overrideConfiguration(all -> all.retryStrategy(AwsRetryStrategy.doNotRetry())
                        .apiCallTimeout(Duration.ofMillis(options.callMillis())))
                // Some services hang on it.
                .serviceConfiguration(s3 -> s3.expectContinueEnabled(false));
        // Services other than AWS do not all know the newer checksums.
        options.endpoint()
                .ifPresent(endpoint -> builder.endpointOverride(endpoint)
                        .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                        .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED));
        return builder.build();
    }

    private static NettyNioAsyncHttpClient.Builder http(long callMillis) {
        return NettyNioAsyncHttpClient.builder()
                .maxConcurrency(CONNECTIONS)
                .connectionTimeout(Duration.ofSeconds(5))
                .connectionAcquisitionTimeout(Duration.ofMillis(callMillis))
                // A connection that the service closes just when a write goes out leaves the write unknown.
                .connectionMaxIdleTime(Duration.ofSeconds(5))
                .readTimeout(Duration.ofMillis(callMillis))
                .writeTimeout(Duration.ofMillis(callMillis));
    }

    private static AwsCredentialsProvider fixed(S3Options.Credentials own) {
        AwsCredentials credentials = own.sessionToken().isEmpty()
                ? AwsBasicCredentials.create(own.accessKeyId(), own.secretAccessKey())
                : AwsSessionCredentials.create(own.accessKeyId(), own.secretAccessKey(), own.sessionToken());
        return StaticCredentialsProvider.create(credentials);
    }

    private static AwsCredentialsProvider standard() {
        AwsCredentialsProvider chain = DefaultCredentialsProvider.builder().build();
        chain.resolveCredentials();
        return chain;
    }
}
