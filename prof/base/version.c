/* The library tells its version to whoever looks without running it: strings, what, dlsym. */
extern const char scalana_version[];
__attribute__((visibility("default"), used)) const char scalana_version[] =
    "@(#)ScalAna " SCA_VERSION;
